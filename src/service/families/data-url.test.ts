import { expect, test } from 'vitest'
import { readDataUrl } from './data-url.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['data:image/png;base64,AAAA', { mediaType: 'image/png', data: 'AAAA' }],
  ['data:Text/Plain;charset=utf-8,a%20b', { mediaType: 'text/plain', data: base64('a b') }],
  ['data:,a', { mediaType: '', data: base64('a') }],
  ['data:text/plain,100% sure', { mediaType: 'text/plain', data: base64('100% sure') }],
])('%s is inline data', (url, data) => {
  expect(readDataUrl(url)).toEqual(data)
})

test.each(['https://images.example/a,b', 'data:image/png;base64', ''])('%j is none', (url) => {
  expect(readDataUrl(url)).toBeNull()
})
