/** The bench's functions inside the window. */
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { z } from 'zod'

const entry = fileURLToPath(new URL('in-window/index.ts', import.meta.url))
const name = 'benchInWindow'

const scrolledSchema = z.strictObject({
  rows: z.number(),
  longestTaskMs: z.number(),
  isWatching: z.boolean(),
  hasReachedEnd: z.boolean(),
})

/** Bundles them into a script for `Page.evaluate`, which may run it in spite of the page's policy. */
export async function bundleWindowScript(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, name, formats: ['iife'] } },
  })
  const [bundle] = Array.isArray(result) ? result : [result]
  const chunk = 'output' in bundle ? bundle.output[0] : null
  if (chunk === null) throw new Error('the script for the window was not built')
  // A script's `const` would not be seen by the next one.
  return `${chunk.code}\nglobalThis.${name} = ${name};`
}

export async function openingMs(window: Page, hash: string, selector: string): Promise<number> {
  const call = `${name}.openingMs(${JSON.stringify(hash)}, ${JSON.stringify(selector)})`
  return z.number().parse(await window.evaluate(call))
}

/** @throws Error when the list was not scrolled to its end, or long tasks would not be noticed */
export async function scrollRequests(window: Page, rows: number): Promise<number> {
  const scrolled = scrolledSchema.parse(await window.evaluate(`${name}.scrollRequests()`))
  if (!scrolled.isWatching) throw new Error('the window does not report long tasks')
  if (scrolled.rows !== rows || !scrolled.hasReachedEnd) {
    throw new Error(`the list was not scrolled through: ${JSON.stringify(scrolled)}`)
  }
  return scrolled.longestTaskMs
}

export async function plotUpdates(window: Page, points: number): Promise<number[]> {
  return z.array(z.number()).parse(await window.evaluate(`${name}.plotUpdates(${points})`))
}
