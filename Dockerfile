# Built in one image, run from another that has neither the compiler nor its packages.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build
# The packages of production, and the two optional ones, so that the image can use a bucket and take payments.
RUN npm pkg set $(npm pkg get devDependencies | node -p "const all = JSON.parse(require('node:fs').readFileSync(0)); ['stripe', '@aws-sdk/client-s3'].map((name) => 'dependencies.' + name + '=' + all[name]).join(' ')") && npm pkg delete devDependencies && npm install --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/data ./data
COPY --from=build /app/docs ./docs
COPY --from=build /app/sql ./sql
COPY --from=build /app/dist ./dist
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8080
# Whether the process lives. While the first start loads the seed data, /readyz answers 503.
HEALTHCHECK --start-period=5m --interval=30s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js", "serve"]
