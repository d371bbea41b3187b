import { expect, test } from 'vitest'
import { withoutHome } from './without-home.ts'

test.each([
  ['/home/ann/models/a.gguf', '/home/ann', '~/models/a.gguf'],
  ['C:\\Users\\ann\\a.gguf', 'C:\\Users\\ann', '~\\a.gguf'],
  ['/home/annette/a.gguf', '/home/ann', '/home/annette/a.gguf'],
  ['/srv/a.gguf', '', '/srv/a.gguf'],
])('%s in the home folder %s is shown as %s', (path, homeDir, shown) => {
  expect(withoutHome(path, homeDir)).toBe(shown)
})
