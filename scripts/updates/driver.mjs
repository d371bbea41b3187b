/**
 * The main script of a test build: it starts the app as shipped and lets the check use the window through a socket in the
 * data folder. The packages that users get do not have this file, and no fuse is changed for it.
 */
import { app, BrowserWindow } from 'electron'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const socketFile = join(process.env['MODELPORT_DATA_DIR'] ?? '', 'driver.sock')

/** @param {{ kind: 'facts' } | { kind: 'quit' } | { kind: 'run', code: string }} command */
async function answer(command) {
  if (command.kind === 'facts')
    return { pid: process.pid, version: app.getVersion(), execPath: process.execPath }
  if (command.kind === 'quit') {
    setImmediate(() => app.quit())
    return null
  }
  const window = BrowserWindow.getAllWindows()[0]
  if (!window) throw new Error('There is no window.')
  return window.webContents.executeJavaScript(command.code, true)
}

// Only in a test build.
const main = './out/main/index.js'
await import(main)
// A second instance ends before this; the old version's socket has no listener any more.
rmSync(socketFile, { force: true })
createServer((socket) => {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
    if (!text.endsWith('\n')) return
    answer(JSON.parse(text)).then(
      (value) => socket.end(JSON.stringify({ value: value ?? null })),
      (error) => socket.end(JSON.stringify({ error: String(error) })),
    )
  })
  socket.on('error', () => {})
}).listen(socketFile)
