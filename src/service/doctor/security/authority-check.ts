/** Signs a certificate for another name with the stolen authority, and shows it to a client that trusts it. */
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { openConnection } from '../../../shared/app/open-connection.ts'
import type { SecurityCheck } from '../../../shared/app/security-check.ts'
import { makeLeaf } from '../../http/sockets/make-certificates.ts'
import type { SecurityTarget } from './attack.ts'

const foreignName = 'bank.example'

export async function tryStolenAuthority(target: SecurityTarget): Promise<SecurityCheck> {
  const key = await readFile(join(target.dataDir, 'tls', 'ca-key.pem'), 'utf8')
  const leaf = await makeLeaf({ key, cert: target.ca }, [foreignName], Date.now())
  const server = createServer({ ...leaf })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo
  const error = await handshakeError(port, target.ca)
  server.close()
  return {
    check: 'Certificate authority',
    tried: `a certificate for ${foreignName}, signed with its key`,
    seen: error === null ? 'a client that trusts the authority accepts it' : `refused: ${error}`,
    status: error === null ? 'failed' : 'ok',
  }
}

/** @returns null when the client accepts the certificate */
function handshakeError(port: number, ca: string): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', servername: foreignName, ca }
    const socket = openConnection('ownPort', null, () => connect(options))
    const end = (error: string | null) => {
      socket.destroy()
      resolve(error)
    }
    socket.once('secureConnect', () => end(null))
    socket.once('error', (error: Error) => end(error.message))
  })
}
