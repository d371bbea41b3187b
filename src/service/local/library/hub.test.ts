import { expect, test } from 'vitest'
import { findHub } from './hub.ts'

test.each([
  ['https://cdn-lfs.huggingface.co/file', true],
  ['https://cas-bridge.xethub.hf.co/file', true],
  ['http://huggingface.co/file', false],
  ['https://huggingface.co.example.com/file', false],
  ['https://nothuggingface.co/file', false],
])('a download may be redirected to %s: %s', (address, isAllowed) => {
  expect(findHub({}).isAllowed(new URL(address))).toBe(isAllowed)
})

test.each([
  ['https://mirror.example', 'https://mirror.example/'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['http://mirror.example', 'https://huggingface.co/'],
  ['mirror.example', 'https://huggingface.co/'],
])('with HF_ENDPOINT %s the files come from %s', (address, used) => {
  const hub = findHub({ HF_ENDPOINT: address })

  expect(hub.address.href).toBe(used)
  expect(hub.isAllowed(hub.address)).toBe(true)
})
