# PostgreSQL's binaries need glibc: no Alpine. The Node that runs the program comes with the packages (package.json).
FROM node:24-slim

WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force
COPY migrations ./migrations
COPY src ./src
# The reference at /docs is made of these.
COPY CHANGELOG.md ./
COPY docs/*.md ./docs/

# The data directory: the encryption keys and, without DATABASE_URL, the embedded PostgreSQL.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node

ENV PATH=/app/node_modules/.bin:$PATH HOST=0.0.0.0 PORT=3000 LIAISON_DATA_DIR=/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "--v8-pool-size=0", "src/main.js", "serve"]
