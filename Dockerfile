# PostgreSQL's binaries need glibc: no Alpine. This stage's Node only installs; the packages bring the one that runs.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY migrations ./migrations
COPY src ./src
COPY release/trim.ts ./release/
# The reference at /docs is made of these.
COPY CHANGELOG.md ./
COPY docs/*.md ./docs/
# The commit, for the version: docker build --build-arg COMMIT=$(git rev-parse HEAD) .
ARG COMMIT=
RUN node release/trim.ts && if [ -n "$COMMIT" ]; then echo "{\"commit\":\"$COMMIT\"}" > release.json; fi

FROM debian:bookworm-slim
ENV NODE_ENV=production
# PostgreSQL needs a name for its user. The number lets Kubernetes see that it is not root.
RUN useradd --uid 10001 --no-create-home --home-dir /data liaison && mkdir /data && chown liaison:liaison /data
WORKDIR /app
COPY --from=packages /app ./

# The data directory: the encryption keys and, without DATABASE_URL, the embedded PostgreSQL. The rest is only read.
VOLUME /data
USER 10001:10001

ENV PATH=/app/node_modules/.bin:$PATH HOST=0.0.0.0 PORT=3000 LIAISON_DATA_DIR=/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "--v8-pool-size=0", "src/main.js", "serve"]
