# syntax=docker/dockerfile:1
# A static program on a base that has certificates, time zones and a user without
# rights, and nothing else:
#
#   docker build -t compactor --build-arg VERSION="$(git describe --tags --always)" --build-arg COMMIT="$(git rev-parse HEAD)" .
#   docker run -i --rm -v "$PWD:/src:ro" compactor                        # an MCP server over stdio
#   docker run --rm -v "$PWD:/src:ro" compactor research "where is the pool built?"

ARG GO=1.26
FROM --platform=$BUILDPLATFORM golang:${GO} AS build
WORKDIR /compactor
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS=linux
ARG TARGETARCH
ARG VERSION=devel
ARG COMMIT=
RUN CGO_ENABLED=0 GOOS=${TARGETOS} GOARCH=${TARGETARCH} go build -trimpath -buildvcs=false \
	-ldflags "-s -w -buildid= -X main.version=${VERSION} -X main.commit=${COMMIT}" -o /out/compactor ./cmd/compactor

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/compactor /usr/local/bin/compactor
COPY LICENSE /usr/share/doc/compactor/LICENSE
WORKDIR /src
USER nonroot
ENTRYPOINT ["/usr/local/bin/compactor"]
CMD ["serve"]
