package fabric

import (
	"slices"

	"fmt"
)

// checkRoutes checks up to most routes between all pairs of nodes. Each must run from
// its source to its destination, and the channels must have an order in which all
// routes ascend. Packets then cannot wait for each other in a cycle, and the fabric is
// free of deadlock.
func checkRoutes(l layout, nodes, channels, most int) error {
	all := make([]int, nodes)
	for i := range all {
		all[i] = i
	}
	return checkBetween(l, all, nodes, channels, most)
}

// checkWays applies checkRoutes to all routes that flows use. One node of each switch stands for
// the others: between switches their routes take the same channels.
func checkWays(l layout, nodes, channels int) error {
	var some []int
	known := map[int32]bool{}
	for i := range nodes {
		if _, at := l.ends(int32(i)); !known[at] {
			known[at] = true
			some = append(some, i)
		}
	}
	return checkBetween(l, some, nodes, channels, maxWays)
}

// maxWays is the most routes between two nodes that flows use: as many as a switch has ports
// upwards.
const maxWays = 64

// checkBetween checks the routes between some of the nodes.
func checkBetween(l layout, some []int, nodes, channels, most int) error {
	after := make([][]int32, channels) // channels that some route takes next
	var path []int32
	for _, src := range some {
		for _, dst := range some {
			if _, direct := l.(cable); direct && src == dst {
				continue
			}
			for route := range min(most, l.ways(src, dst)) {
				path = l.route(path[:0], src, dst, route)
				if path[0] != int32(src) {
					return fmt.Errorf("fabric: route from node %d to node %d starts at %s", src, dst, l.name(int(path[0])))
				}
				if last := path[len(path)-1]; len(path) > 1 && last != int32(nodes+dst) {
					return fmt.Errorf("fabric: route from node %d to node %d ends at %s", src, dst, l.name(int(last)))
				}
				for i := 1; i < len(path); i++ {
					if next := &after[path[i-1]]; !slices.Contains(*next, path[i]) {
						*next = append(*next, path[i])
					}
				}
			}
		}
	}
	return acyclic(after, l)
}

// acyclic removes channels that no other one leads to until none is left.
func acyclic(after [][]int32, l layout) error {
	before := make([]int32, len(after))
	for _, s := range after {
		for _, c := range s {
			before[c]++
		}
	}
	var ready []int32
	for c, k := range before {
		if k == 0 {
			ready = append(ready, int32(c))
		}
	}
	done := 0
	for ; done < len(ready); done++ {
		for _, c := range after[ready[done]] {
			if before[c]--; before[c] == 0 {
				ready = append(ready, c)
			}
		}
	}
	if done == len(after) {
		return nil
	}
	for c, k := range before {
		if k > 0 {
			return fmt.Errorf("fabric: routes can deadlock: %d channels wait for each other in cycles, among them %s", len(after)-done, l.name(c))
		}
	}
	return nil
}
