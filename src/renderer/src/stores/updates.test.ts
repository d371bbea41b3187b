import { expect, test } from 'vitest'
import { phaseText, wayBackOf } from './updates.ts'

const previous = { version: '0.1.0', copy: 'before-0.2.0.db', copiedAtMs: 0, isInstalled: true }

test('the way back is the version before, when it is installed', () => {
  const phase = { status: 'idle' } as const
  expect(wayBackOf({ phase, previous })).toEqual({ version: '0.1.0', failure: null })
  const notInstalled = { ...previous, isInstalled: false }
  expect(wayBackOf({ phase, previous: notInstalled }).version).toBeNull()
  expect(wayBackOf(null)).toEqual({ version: null, failure: null })
})

test('a failed attempt to go back says why', () => {
  const failed = { status: 'failed', problem: 'read_only', release: null } as const
  const message = 'The app’s folder cannot be changed.'
  const goBack = { ...failed, step: 'go_back', message } as const
  expect(wayBackOf({ phase: goBack, previous }).failure).toBe(`Going back failed. ${message}`)
  const check = { ...failed, step: 'check', message } as const
  expect(wayBackOf({ phase: check, previous }).failure).toBeNull()
})

test('each phase of an update is a sentence for screen readers', () => {
  const release = { version: '0.2.0', notes: null, publishedAtMs: null, bytes: null }
  expect(phaseText({ status: 'available', release })).toBe('Version 0.2.0 is available.')
  const downloading = { status: 'downloading', release, receivedBytes: 1 } as const
  expect(phaseText(downloading)).toBe('Downloading version 0.2.0…')
  expect(phaseText({ status: 'ready', release })).toBe('Version 0.2.0 is ready to install.')
})
