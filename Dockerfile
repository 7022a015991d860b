# Not built by any test.
#
#   docker build -t sigview . && docker run --rm -v "$PWD:/data" sigview run fft
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 make build

FROM scratch
COPY --from=build /src/sigview /sigview
WORKDIR /data
ENTRYPOINT ["/sigview"]
