/** Presses keys on the X display, as a keyboard would: Playwright's keys go to a page, and never to the desktop. */
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'

/** Keycodes of the keyboards of PCs, which Xvfb has. */
const keycodes = { Control: 37, Shift: 50, Space: 65 } as const

/** Holds the keys in order, then releases them. @throws when the display or its XTEST extension cannot be used */
export async function pressKeys(...keys: (keyof typeof keycodes)[]): Promise<void> {
  const display = /:(\d+)/.exec(process.env['DISPLAY'] ?? '')?.[1] ?? '0'
  const socket = connect(`/tmp/.X11-unix/X${display}`)
  try {
    socket.write(setup(await readCookie(display)))
    const head = await read(socket, 8)
    if (head[0] !== 1) throw new Error('The X display refused the connection.')
    await read(socket, head.readUInt16LE(6) * 4)
    // QueryExtension
    socket.write(Buffer.from([98, 0, 4, 0, 5, 0, 0, 0, ...Buffer.from('XTEST'), 0, 0, 0]))
    const answer = await readAnswer(socket)
    if (answer[8] !== 1) throw new Error('The X display has no XTEST.')
    const codes = keys.map((key) => keycodes[key])
    for (const code of codes) socket.write(fakeKey(answer[9] ?? 0, { type: 2, code }))
    for (const code of codes.toReversed()) socket.write(fakeKey(answer[9] ?? 0, { type: 3, code }))
    // GetInputFocus: its answer follows the keys.
    socket.write(Buffer.from([43, 0, 1, 0]))
    await readAnswer(socket)
  } finally {
    socket.destroy()
  }
}

/** @param type  2 presses, 3 releases */
function fakeKey(opcode: number, { type, code }: { type: 2 | 3; code: number }): Buffer {
  const request = Buffer.alloc(36)
  request.set([opcode, 2, 9, 0, type, code])
  return request
}

const cookieName = 'MIT-MAGIC-COOKIE-1'

function setup(cookie: Buffer): Buffer {
  const head = Buffer.from([0x6c, 0, 11, 0, 0, 0, cookieName.length, 0, cookie.length, 0, 0, 0])
  return Buffer.concat([head, padded(Buffer.from(cookieName)), padded(cookie)])
}

function padded(part: Buffer): Buffer {
  return Buffer.concat([part, Buffer.alloc((4 - (part.length % 4)) % 4)])
}

/** The display's cookie from the file of xauth: family, then address, number, name and cookie with their lengths. */
async function readCookie(display: string): Promise<Buffer> {
  const file = await readFile(process.env['XAUTHORITY'] ?? `${process.env['HOME']}/.Xauthority`)
  let at = 0
  const next = () => {
    const end = at + 2 + file.readUInt16BE(at)
    const part = file.subarray(at + 2, end)
    at = end
    return part
  }
  while (at < file.length) {
    at += 2
    const [, number, , cookie] = [next(), next(), next(), next()]
    if (number.toString() === display) return cookie
  }
  return Buffer.alloc(0)
}

/** The answer to a request. Events of the display may come before it. */
async function readAnswer(socket: Socket): Promise<Buffer> {
  for (;;) {
    const message = await read(socket, 32)
    if (message[0] === 0) throw new Error('The X display refused a request.')
    if (message[0] === 1) return message
  }
}

/** The next bytes. */
async function read(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = socket.read(count)
    if (Buffer.isBuffer(bytes)) return bytes
    await new Promise<void>((resolve, reject) => {
      socket.once('readable', resolve)
      socket.once('error', reject)
    })
  }
}
