/** Ways to run other code in the app, or to read its memory; none may have an effect. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { row } from '../../bench/row.ts'
import { reportMeasured } from '../../test/torture/share.ts'
import { SetupError } from '../setup/progress.mjs'
import { startApp } from './seat.mjs'
import { withApp } from './use.mjs'

/** @typedef {import('./seat.mjs').Seat} Seat */

const refusedSwitches = [
  '--inspect=0',
  '--inspect-brk=0',
  '--remote-debugging-port=0',
  '--remote-debugging-pipe',
  '--js-flags=--expose-gc',
  '--host-rules=MAP * 127.0.0.1',
  '--load-extension=/tmp',
]

/** @param {Seat} seat */
export async function checkClosed(seat) {
  for (const flag of refusedSwitches) await checkRefused(seat, flag)
  const ignored = [...(await checkIgnored(seat)), 'SIGUSR1']
  reportMeasured([
    row('refused switches', [refusedSwitches.length, '']),
    row('ways without effect', [ignored.length, '']),
  ])
  return {
    value: undefined,
    detail: `Refused: ${refusedSwitches.join(', ')}\n  Without effect: ${ignored.join(', ')}`,
  }
}

/** @param {Seat} seat @param {string} flag */
async function checkRefused(seat, flag) {
  const app = startApp(seat, { args: [flag] })
  const code = await Promise.race([app.ended, sleep(20_000, 'late')])
  app.end()
  await app.ended
  if (code !== 1 || !app.output().includes('Modelport does not start with'))
    throw new SetupError(`The app starts with ${flag} (${code}): ${app.output().slice(-400)}`)
  if (/(Debugger|DevTools) listening/.test(app.output()))
    throw new SetupError(`${flag} opened a debugger.`)
}

/** The app has to serve as always. @param {Seat} seat */
async function checkIgnored(seat) {
  const proof = join(seat.home, 'was-run')
  const script = join(seat.home, 'run.cjs')
  const code = `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`
  await writeFile(join(seat.root, script), code)
  const ways = {
    '--require': { args: ['--require', script] },
    NODE_OPTIONS: { env: { NODE_OPTIONS: `--require ${script}` } },
    ELECTRON_RUN_AS_NODE: { args: [script], env: { ELECTRON_RUN_AS_NODE: '1' } },
  }
  for (const [name, how] of Object.entries(ways)) {
    await withApp(seat, how, async ({ pid }) => {
      process.kill(pid, 'SIGUSR1')
      await checkNoDebugger(pid)
    })
    if (existsSync(join(seat.root, proof))) throw new SetupError(`${name} runs other code.`)
  }
  return Object.keys(ways)
}

/** Node.js opens its debugger on this port. @param {number} pid */
async function checkNoDebugger(pid) {
  await sleep(500)
  const isOpen = await fetch('http://127.0.0.1:9229/json/version').then(
    () => true,
    () => false,
  )
  if (isOpen) throw new SetupError(`SIGUSR1 opened a debugger in process ${pid}.`)
}
