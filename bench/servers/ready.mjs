/**
 * Tells the bench, as its child process, on which port this server listens.
 * @param {import('node:net').Server} server
 */
export function tellReady(server) {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not bound to a port')
  process.send?.({ port: address.port })
  // The bench is gone: so are we.
  process.on('disconnect', () => process.exit())
}
