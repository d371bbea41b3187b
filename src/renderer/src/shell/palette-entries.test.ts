import { expect, test, vi } from 'vitest'
import { commands } from '../../../shared/app/commands.ts'
import { pageParts, pages } from '../../../shared/app/pages.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import type { PaletteData } from './palette-entries.ts'

// The state of the navigation is read from the browser's storage when the module loads.
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} })
const { paletteGroups, searchGroups } = await import('./palette-entries.ts')

function data(): PaletteData {
  const { routers, keys, conversations } = usedScene()
  return { routers, keys, conversations, agents: [] }
}

const always = () => true

function titlesFor(query: string, recentIds: string[] = []): string[] {
  return searchGroups(query, paletteGroups(data(), always), recentIds).flatMap(({ items }) =>
    items.map(({ title }) => title),
  )
}

test('the palette lists every command except the one that opens it', () => {
  const listed = paletteGroups(data(), always).flatMap(({ items }) => items.map(({ id }) => id))
  const expected = commands.map(({ id }) => id).filter((id) => id !== 'palette')
  expect(listed).toEqual(expect.arrayContaining(expected))
  expect(listed).not.toContain('palette')
})

test('the palette leads to every place and its parts', () => {
  const visited: string[] = []
  const navigation = { to: (path: string) => visited.push(path), back() {}, forward() {} }
  const entries = paletteGroups(data(), always).find(({ name }) => name === 'Pages')?.items ?? []
  for (const entry of entries) entry.run(navigation)
  expect(visited).toEqual([...pages, ...pageParts].map(({ path }) => path))
})

test('commands that are not available are left out', () => {
  const listed = paletteGroups(data(), (id) => id !== 'stop').flatMap(({ items }) =>
    items.map(({ id }) => id),
  )
  expect(listed).not.toContain('stop')
  expect(listed).toContain('new-chat')
})

test('a router, a chat and a key are found by name, a revoked key is not', () => {
  expect(titlesFor('web shop').slice(0, 2)).toEqual(['Web shop', 'Web shop backend'])
  expect(titlesFor('harbour')).toEqual(['Names for a harbour'])
  expect(titlesFor('old importer')).toEqual([])
})

test('the group with the best match comes first', () => {
  const groups = searchGroups('router', paletteGroups(data(), always)).map(({ name }) => name)
  expect(groups.slice(0, 2)).toEqual(['Pages', 'Actions'])
})

test('an entry opens its page', () => {
  const visited: string[] = []
  const navigation = { to: (path: string) => visited.push(path), back() {}, forward() {} }
  const [group] = searchGroups('web shop', paletteGroups(data(), always))
  group?.items[0]?.run(navigation)
  expect(visited).toEqual(['/routers/router_Jk2mN8pR5sT7vW1x'])
})

test.each([
  ['rotate web shop', 'Rotate key Web shop backend', /^\/connect\?do=rotate&key=key_/],
  ['revoke web', 'Revoke key Web shop backend', /^\/connect\?do=revoke&key=key_/],
  ['compare web shop', 'Compare Web shop with other routers', /^\/chat$/],
  ['new chat web', 'New chat on Web shop', /^\/chat$/],
  ['tune web', 'Tune Web shop', /^\/tune\/new$/],
  ['change limits web', 'Change the limits of Web shop', /^\/routers\/router_\w+\?tab=limits$/],
  ['add provider', 'Add provider', /^\/models\?view=providers&add=any$/],
  ['create key', 'Create key', /^\/connect\?do=create$/],
])('%s runs “%s”', (query, title, path) => {
  const visited: string[] = []
  const navigation = { to: (to: string) => visited.push(to), back() {}, forward() {} }
  const [group] = searchGroups(query, paletteGroups(data(), always))

  group?.items[0]?.run(navigation)

  expect(group?.items[0]?.title).toBe(title)
  expect(visited).toEqual([expect.stringMatching(path)])
})

test('pause finds the routers', () => {
  expect(titlesFor('pause web shop')[0]).toBe('Pause Web shop')
})

test('what was chosen last comes first, until something is typed', () => {
  const [router] = data().routers
  const last = paletteGroups(data(), always)[0]?.items.at(-1)
  const recentIds = [last?.id ?? '', `router:${router?.id}`, 'router:deleted']
  expect(titlesFor('', recentIds).slice(0, 2)).toEqual([last?.title, router?.name])
  expect(titlesFor('models', recentIds)).toEqual(titlesFor('models'))
})
