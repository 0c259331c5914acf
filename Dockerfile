# Built from the packed program and nothing else:
#   npm pack && docker build -t lectern .
# Run with a read-only root; only /data is written:
#   docker run --read-only --tmpfs /tmp -v lectern:/data -v "$PWD:/documents:ro" \
#     -e LECTERN_TOKEN=... -p 127.0.0.1:18765:18765 --name lectern lectern
# Take the documents in, once:
#   docker exec lectern lectern collection add /documents

FROM node:24-slim AS install
WORKDIR /opt/lectern
COPY lectern-*.tgz /tmp/lectern.tgz
RUN npm install --prefix /opt/lectern --ignore-scripts --omit=dev --no-audit --no-fund /tmp/lectern.tgz

FROM node:24-slim
RUN groupadd --gid 1001 lectern \
  && useradd --uid 1001 --gid 1001 --no-create-home --shell /usr/sbin/nologin lectern \
  && install --directory --owner=1001 --group=1001 --mode=0700 /data \
  && install --directory --mode=0755 /documents
COPY --from=install /opt/lectern /opt/lectern
ENV LECTERN_HOME=/data \
    NODE_ENV=production \
    PATH=/opt/lectern/node_modules/.bin:$PATH
USER 1001:1001
WORKDIR /documents
VOLUME /data
EXPOSE 18765
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:18765/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["lectern"]
# Beyond its own loopback the server asks every caller for LECTERN_TOKEN, and does not start without.
CMD ["serve", "--host", "0.0.0.0"]
