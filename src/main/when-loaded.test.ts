import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { whenLoaded } from './when-loaded.ts'

class Page extends EventEmitter {
  isPending = true
  isLoading = () => this.isPending
}

test('a page that is loading gets its messages once it has loaded, in order', () => {
  const page = new Page()
  const sent: string[] = []

  whenLoaded(page, () => sent.push('first'))
  whenLoaded(page, () => sent.push('second'))
  expect(sent).toEqual([])
  page.isPending = false
  page.emit('did-stop-loading')
  page.emit('did-stop-loading')
  whenLoaded(page, () => sent.push('third'))

  expect(sent).toEqual(['first', 'second', 'third'])
})
