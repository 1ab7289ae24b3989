# syntax=docker/dockerfile:1
# The service against an external PostgreSQL. Stage one installs and builds, stage two holds what runs: nothing in it is ever written to.
FROM node:26-bookworm-slim AS build
WORKDIR /gatehouse
COPY package.json package-lock.json .npmrc ./
COPY client/package.json ./client/
COPY portal/package.json ./portal/
COPY react/package.json ./react/
# The compiler's own binaries are optional packages, one for each platform.
RUN --mount=type=cache,target=/root/.npm npm install --no-save --include=dev --include=optional
COPY nest-cli.json tsconfig.json tsconfig.build.json .swcrc ./
COPY migrations ./migrations
COPY scripts/bundle.mjs ./scripts/
COPY src ./src
COPY client/tsconfig.json client/tsconfig.build.json ./client/
COPY client/src ./client/src
COPY client/scripts ./client/scripts
COPY scripts/openapi.mjs ./scripts/
COPY portal/index.html portal/vite.config.ts portal/tsconfig.json ./portal/
COPY portal/public ./portal/public
COPY portal/src ./portal/src
# The bundle (docs/adr/0058-bundle.md) holds the code and the licences of all packages but the native one.
RUN npm run build \
  && mkdir -p native/node_modules \
  && cp -r node_modules/bcrypt node_modules/node-gyp-build native/node_modules/ \
  && find native -mindepth 4 -maxdepth 4 -path '*/prebuilds/*' -not -name 'linux-*' -exec rm -r '{}' +

FROM node:26-bookworm-slim
# Password hashes run on libuv's threads, at most one per core; the default of 4 would hold a larger machine back. Two places that memory is taken from
# leave fewer holes than one for each thread; blocks from 16 KiB on go back to the system.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 UV_THREADPOOL_SIZE=20 MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=16384
WORKDIR /gatehouse
COPY --from=build --chown=root:root /gatehouse/package.json ./
COPY --from=build --chown=root:root /gatehouse/native/node_modules ./node_modules
COPY --from=build --chown=root:root /gatehouse/dist/bundle ./dist
COPY --from=build --chown=root:root /gatehouse/portal/dist ./portal/dist
USER node
EXPOSE 3000
# A request may take long, and none is cut off: allow 30 seconds between SIGTERM and SIGKILL.
STOPSIGNAL SIGTERM
# Whether the process is well. Not /readyz: a new start does not bring a database back.
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
# As scripts/service.mjs explains.
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "dist/src/main.js"]
