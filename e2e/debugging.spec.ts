// A normal start of the app, as with `npm start`: nothing outside the app may open a debugger in it or replace
// its page. The other tests start the app through e2e/held-app, which allows debugging, because Playwright
// needs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from './fixtures.ts'

const repositoryDir = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

interface Start {
  dataDir: string
  switches?: readonly string[]
  env?: Readonly<Record<string, string>>
}

function startNormally({ dataDir, switches = [], env = {} }: Start) {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const app = spawn(
    process.env['MODELPORT_ELECTRON'] ?? '',
    [...sandbox, ...switches, repositoryDir],
    {
      env: { ...process.env, MODELPORT_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  app.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return { app, exited: once(app, 'close'), stderr: () => stderr }
}

for (const flag of ['--inspect=0', '--remote-debugging-port=0'])
  test(`a start with ${flag} is refused`, async ({ dataDir }) => {
    const { exited, stderr } = startNormally({ dataDir, switches: [flag] })

    const [code] = await exited

    expect(code).toBe(1)
    expect(stderr()).toContain(`Modelport does not start with ${flag}.`)
    expect(existsSync(join(dataDir, 'modelport.db'))).toBe(false)
  })

test('SIGUSR1 opens no debugger', async ({ dataDir }) => {
  const { app, exited, stderr } = startNormally({ dataDir })
  await expect.poll(() => existsSync(join(dataDir, 'tls', 'ca-bundle.pem'))).toBe(true)

  app.kill('SIGUSR1')

  app.kill('SIGTERM')
  await exited
  expect(stderr()).not.toContain('Debugger listening')
})

test('ELECTRON_RENDERER_URL does not replace the page', async ({ launchApp }) => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo

  const { window } = await launchApp({ env: { ELECTRON_RENDERER_URL: `http://127.0.0.1:${port}` } })

  await expect(window).toHaveTitle('Modelport')
  expect(connections).toBe(0)
  server.close()
})
