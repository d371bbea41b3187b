import { expect, test } from 'vitest'
import { findTrayHost } from './tray-host.ts'

const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus' }

function findWith(answers: Record<string, string | null>): Promise<boolean> {
  return findTrayHost({
    platform: 'linux',
    env,
    async runGdbus([command = '']) {
      const answer = answers[command]
      if (answer == null) throw new Error('gdbus failed')
      return answer
    },
  })
}

test('a registered StatusNotifier host shows icons', async () => {
  expect(await findWith({ wait: '', call: '(<true>,)\n' })).toBe(true)
})

test.each([
  ['no watcher appears', { wait: null }],
  ['no host is registered with the watcher', { wait: '', call: '(<false>,)\n' }],
  ['the watcher does not answer', { wait: '', call: null }],
])('a Linux desktop has no tray when %s', async (_name, answers) => {
  expect(await findWith(answers)).toBe(false)
})

test('gdbus is not run without a session bus, because it would start one', async () => {
  const runGdbus = () => Promise.reject(new Error('called'))

  expect(await findTrayHost({ platform: 'linux', env: {}, runGdbus })).toBe(false)
})

test.each(['darwin', 'win32'] as const)('%s always has a tray', async (platform) => {
  const runGdbus = () => Promise.reject(new Error('called'))

  expect(await findTrayHost({ platform, env: {}, runGdbus })).toBe(true)
})
