import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { PlainDocument } from '../../../../../test/renderer-harness/plain-dom.ts'
import type { ProviderType } from '../../../../shared/models/provider-type.ts'
import { AddressFields } from './address-fields.tsx'

afterEach(() => void vi.unstubAllGlobals())

test('the section of the address stays open while its field is emptied', async () => {
  const document = new PlainDocument()
  const window = { document, HTMLIFrameElement: Array, addEventListener: () => {} }
  document.defaultView = window
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', document)
  // React's work is over when `act` returns.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // It looks for a document when it loads.
  const { createRoot } = await import('react-dom/client')
  const container = document.createElement('div')
  // An element as far as React uses it.
  const root = createRoot(container as unknown as Element)
  // The fields read no more of a type.
  const type = { baseUrl: 'https://api.example.com/v1', isSelfHosted: false } as ProviderType
  const isOpenWith = (baseUrl: string) => {
    const address = { baseUrl, isPrivate: false }
    act(() => root.render(<AddressFields {...{ type, address }} onType={() => {}} error={null} />))
    return container.elements('details')[0]?.attributes.has('open')
  }

  expect(isOpenWith('https://eu.example.com/v1')).toBe(true)
  expect(isOpenWith('')).toBe(true)
  act(() => root.unmount())
})
