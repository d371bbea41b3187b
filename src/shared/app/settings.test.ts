import { expect, test } from 'vitest'
import { settings } from './settings.ts'

test.each([
  'hooks.example.com',
  'https://:token@hooks.example.com',
  'https://ann@hooks.example.com',
])('a webhook at %s is refused with an example', (address) => {
  const { success, error } = settings.alertWebhook.schema.safeParse(address)

  expect(success).toBe(false)
  expect(error?.issues[0]?.message).toMatch(/^Enter an address such as https:/)
})

test.each(['proxy', 'proxy:3128', 'http://:secret@proxy:3128', 'http://proxy:3128/path'])(
  'a proxy at %s is refused with an example',
  (address) => {
    const { success, error } = settings.outboundProxy.schema.safeParse(address)

    expect(success).toBe(false)
    expect(JSON.stringify(error?.issues)).toContain('Enter a proxy address such as http:')
  },
)

test('addresses without credentials are accepted', () => {
  const webhook = 'https://hooks.example.com/budget?team=1'

  expect(settings.alertWebhook.schema.parse(webhook)).toBe(webhook)
  expect(settings.outboundProxy.schema.parse('http://proxy:3128')).toBe('http://proxy:3128')
})
