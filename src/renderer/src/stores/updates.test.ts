import { expect, test } from 'vitest'
import { phaseText } from './updates.ts'

test('each phase of an update is a sentence for screen readers', () => {
  const release = { version: '0.2.0', notes: null, publishedAtMs: null, bytes: null, link: null }
  expect(phaseText({ status: 'available', release })).toBe('Version 0.2.0 is available.')
  const downloading = { status: 'downloading', release, receivedBytes: 1 } as const
  expect(phaseText(downloading)).toBe('Downloading version 0.2.0…')
  expect(phaseText({ status: 'ready', release })).toBe('Version 0.2.0 is ready to install.')
})
