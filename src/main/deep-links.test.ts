import { expect, test } from 'vitest'
import { findLink, pageOfLink } from './deep-links.ts'

test.each([
  ['modelport://settings/server', '/settings/server'],
  ['modelport://settings/', '/settings'],
  ['modelport:///keys', '/keys'],
  ['modelport://routers/router_Fh3kQ9aZ1bC4dE7g', '/routers/router_Fh3kQ9aZ1bC4dE7g'],
  ['modelport://requests?range=7d&model=openai%3Agpt-5', '/requests?range=7d&model=openai%3Agpt-5'],
])('%s opens %s', (link, page) => {
  expect(pageOfLink(link)).toBe(page)
})

test.each([
  'modelport://',
  'modelport://user:secret@settings',
  'modelport://settings:80/server',
  'https://settings/server',
  'modelport://settings/%00;',
  `modelport://${'a'.repeat(3_000)}`,
])('%s opens no page', (link) => {
  expect(pageOfLink(link)).toBe('/unknown-link')
})

test('the link is found among the arguments of a second start', () => {
  expect(findLink(['electron', '--no-sandbox', '.', 'modelport://keys'])).toBe('modelport://keys')
  expect(findLink(['electron', '.'])).toBeNull()
})
