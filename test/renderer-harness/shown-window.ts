/** Home and the banners above it, as the window shows them, over a bridge of the test's. */
import { createElement, Fragment, type ReactNode } from 'react'
import { vi } from 'vitest'
import type { ModelportBridge } from '../../src/shared/ipc.ts'
import { PlainDocument, type PlainElement } from './plain-dom.ts'

/** What a person reads. */
export interface Shown {
  /** One text for each banner. */
  banners: string[]
  /** One text for each point of “Needs attention”, without its links. */
  points: string[]
  /** All of it. */
  text: string
}

/** @returns reads what is shown now, and closes the window */
export async function openShownWindow(bridge: ModelportBridge) {
  const document = new PlainDocument()
  const window = {
    document,
    modelport: bridge,
    addEventListener: () => {},
    // React looks whether the focus is in one.
    HTMLIFrameElement: Array,
  }
  document.defaultView = window
  vi.stubGlobal('window', window)
  vi.stubGlobal('document', document)
  // They look for a document when they load.
  const { createRoot } = await import('react-dom/client')
  const { connectStores } = await import('../../src/renderer/src/stores/connect.ts')
  const container = document.createElement('div')
  const banners = document.createElement('div')
  const disconnect = connectStores()
  // The containers are elements as far as React uses them.
  const roots = [banners, container].map((element) => createRoot(element as unknown as Element))
  const pages = [await shownBanners(), await shownHome()]
  roots.forEach((root, index) => root.render(pages[index]))
  return {
    shown: () => read(banners, container),
    close: () => {
      for (const root of roots) root.unmount()
      disconnect()
    },
  }
}

async function shownBanners(): Promise<ReactNode> {
  const { EndpointBanner } = await import('../../src/renderer/src/shell/endpoint-banner.tsx')
  const { StorageBanner } = await import('../../src/renderer/src/shell/storage-banner.tsx')
  return createElement(Fragment, {}, createElement(EndpointBanner), createElement(StorageBanner))
}

async function shownHome(): Promise<ReactNode> {
  const { HomePage } = await import('../../src/renderer/src/pages/home/home-page.tsx')
  return createElement(HomePage)
}

function read(banners: PlainElement, home: PlainElement): Shown {
  const notes = banners
    .elements('div')
    .filter(({ attributes }) => /alert|status/.test(attributes.get('role') ?? ''))
  const attention = home
    .elements('h2')
    .find(({ textContent }) => textContent === 'Needs attention')?.parentNode
  const points = home.elements('li').filter((item) => item.parentNode?.parentNode === attention)
  return {
    banners: notes.map((note) => firstText(note)),
    points: attention ? points.map((point) => firstText(point)) : [],
    text: home.textContent,
  }
}

/** The text of its first span that is not only for screen readers. */
function firstText(element: PlainElement): string {
  const spans = element.elements('span')
  const seen = spans.find(({ attributes }) => !(attributes.get('class') ?? '').includes('sr-only'))
  return seen?.textContent.trim() ?? ''
}
