package metrics

import (
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sigview/sigview/live/watch"
)

// Listen opens an address HOST:PORT. One without a host, or that is only a port, is of this host's loopback.
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil && !strings.Contains(address, ":") {
		port, err = address, nil
	}
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// patience is how long a client may take to ask, and to take the answer.
const patience = 10 * time.Second

// Serve answers scrapes of /metrics until the listener is closed.
func Serve(l net.Listener, look *watch.Look) error {
	r := prometheus.NewRegistry()
	if err := r.Register(collector{look}); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 2}))
	s := http.Server{Handler: mux, ReadTimeout: patience, WriteTimeout: patience, MaxHeaderBytes: 1 << 14}
	return s.Serve(l)
}
