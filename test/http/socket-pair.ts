/** Creates both ends of a loopback connection, controlled by the test and closed at its end. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export async function openSocketPair(): Promise<{ client: Socket; socket: Socket }> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const accepted = new Promise<Socket>((resolve) => {
    server.once('connection', resolve)
  })
  // A listening TCP server's address is an AddressInfo.
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const socket = await accepted
  onTestFinished(() => {
    for (const each of [socket, client]) each.on('error', () => {}).destroy()
    server.close()
  })
  return { client, socket }
}
