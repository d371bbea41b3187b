/** PgBouncer in transaction mode, Redis (or Valkey) and HAProxy, as Debian ships them. */
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ownFolder, removeServer, type Engine } from './postgres.ts'
import { freePort, isListening, ordinaryUser, startServer } from './server-process.ts'

/** Starts PgBouncer in transaction mode: no statement may need a session. */
export async function startPgBouncer(postgresPort: number): Promise<Engine> {
  const port = await freePort()
  const folder = ownFolder('pgbouncer')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
postgres = host=127.0.0.1 port=${postgresPort} dbname=postgres user=modelport
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = 40
server_login_retry = 1
`,
  )
  const command = programAt('pgbouncer')
  const isReady = () => isListening(port)
  const server = await startServer({
    name: 'PgBouncer',
    command,
    args: [file],
    user: ordinaryUser,
    isReady,
  })
  return { ...server, port, remove: () => removeServer(server, folder) }
}

/**
 * Starts Valkey without a disk: a restart loses everything, which must do no harm.
 * @param settings  further options, such as `--requirepass`
 */
export async function startValkey(settings: readonly string[] = []): Promise<Engine> {
  const port = await freePort()
  const folder = ownFolder('valkey')
  const own = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const server = await startServer({
    name: 'Valkey',
    command: programAt('valkey-server', 'redis-server'),
    args: ['--port', String(port), ...own, ...settings],
    isReady: () => isListening(port),
  })
  return { ...server, port, remove: () => removeServer(server, folder) }
}

/** Starts HAProxy in front of the nodes' plain HTTP; it asks each node every 200 ms whether it is ready. */
export async function startHaProxy(nodePorts: readonly number[]): Promise<Engine> {
  const port = await freePort()
  const folder = ownFolder('haproxy')
  const file = join(folder, 'haproxy.cfg')
  // Without --host, a node answers to its own address only, so its name is this address.
  const servers = nodePorts.map((nodePort) => {
    const address = `127.0.0.1:${nodePort}`
    return `  server ${address} ${address}`
  })
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 120s
  timeout server 120s
  option redispatch
  retries 3
  retry-on conn-failure
frontend modelport
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  http-send-name-header Host
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
  http-check expect status 204
  default-server check inter 200ms fall 2 rise 1
${servers.join('\n')}
`,
  )
  const isReady = () => isListening(port)
  const command = programAt('haproxy')
  const server = await startServer({ name: 'HAProxy', command, args: ['-f', file, '-db'], isReady })
  return { ...server, port, remove: () => removeServer(server, folder) }
}

/** @throws Error with the package to install */
function programAt(...names: readonly string[]): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  for (const name of names)
    for (const folder of folders) if (existsSync(join(folder, name))) return join(folder, name)
  throw new Error(`${names.join(' or ')} is missing: apt-get install ${names.at(-1)}`)
}
