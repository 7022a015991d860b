package main

import (
	"net"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/live/agent"
)

func (a *app) agentCommand() *cobra.Command {
	limits := agent.DefaultLimits()
	var listen, key, fresh string
	cmd := &cobra.Command{
		Use:   "agent",
		Short: "Let sigview live and sigview watch on another host use this one",
		Long: `agent waits for sigview live --peers on another host, and is a node of its runs, or for
sigview watch --agent, and watches what goes between both hosts; one at a time. Both sides
show by TLS that they have the same key, and refuse everyone else. Make a key once, and copy
the file to all hosts:

  sigview agent --new-key sigview.key
  sigview agent --key sigview.key --listen 192.0.2.7

Messages use other ports than the control connection, which the system chooses. To watch it
takes CAP_BPF and CAP_PERFMON, and keeps them: run it as root for that, or grant them.
The agent ends with an interrupt.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fresh != "" {
				if err := agent.WriteNewKey(fresh); err != nil {
					return err
				}
				a.say("%s has a new key: copy it to all hosts", fresh)
				return nil
			}
			k, err := agent.ReadKey(key)
			if err != nil {
				return err
			}
			if err := limits.Validate(); err != nil {
				return err
			}
			l, err := net.Listen("tcp", agent.Address(listen))
			if err != nil {
				return err
			}
			a.say("waiting for sigview live and sigview watch on %v", l.Addr())
			server := &agent.Server{Key: k, Limits: limits, Log: func(s string) { a.say("%s", s) }}
			return server.Serve(cmd.Context(), l)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&listen, "listen", "127.0.0.1", "address to wait at, with or without a port")
	agentKeyFlag(fs, &key)
	fs.StringVar(&fresh, "new-key", "", "write a new key into this file, and end")
	fs.Float64Var(&limits.Rate, "most-rate", limits.Rate, "messages a second that a session may send to each node, answers not counted")
	fs.DurationVar(&limits.Duration, "most-duration", limits.Duration, "how long a session may last")
	fs.Var(flags.Count(&limits.Memory), "most-memory", "bytes of records that may wait until sigview live takes them, and of a schedule, K, M and G allowed")
	return cmd
}

func agentKeyFlag(fs *pflag.FlagSet, key *string) {
	fs.StringVar(key, "key", "", "file with the key that all hosts share (default: "+agent.KeyFile+" in the user's folder for configuration)")
}
