/**
 * Portkey's gateway in a process of its own. Left alone it listens on every interface and on a port that
 * must be named; here it listens on the loopback alone, on a free one. Plain JavaScript, because the Node
 * it is shipped with does not run types.
 */
import { Server } from 'node:net'
import { pathToFileURL } from 'node:url'
import { tellReady } from './ready.mjs'

const { BENCH_PORTKEY = '' } = process.env
// Without its window, as on a server; the log of requests the window would show is off with it.
process.argv = [process.execPath, BENCH_PORTKEY, '--headless']

const listen = Server.prototype.listen
/** @this {Server} */
Server.prototype.listen = function () {
  this.once('listening', () => tellReady(this))
  return listen.call(this, { port: 0, host: '127.0.0.1' })
}

await import(pathToFileURL(BENCH_PORTKEY).href)
