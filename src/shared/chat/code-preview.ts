/** The preview of HTML and SVG in an answer. */
import { z } from 'zod'
import { call, nothing } from '../ipc-call.ts'

/** Languages of code blocks with a preview. */
export const previewLanguages = ['html', 'svg'] as const

export type PreviewLanguage = (typeof previewLanguages)[number]

/** A place in the page, in its pixels. */
const areaSchema = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number().min(0),
  height: z.number().min(0),
})

export type PreviewArea = z.output<typeof areaSchema>

/** `closing`: Escape was pressed in the preview. `stuck`: it does not answer. `ended`: its process failed. */
export type PreviewState = 'working' | 'stuck' | 'ended' | 'closing'

export const previewCalls = {
  /** Shows the code above the window's page. The event `preview` tells what happens to it. */
  'preview:open': call(
    z.strictObject({
      language: z.enum(previewLanguages),
      text: z.string().max(10_000_000),
      area: areaSchema,
    }),
  ).returns<void>(),
  'preview:place': call(areaSchema).returns<void>(),
  /** Moves the keyboard's focus into the preview. */
  'preview:focus': call(nothing).returns<void>(),
  'preview:close': call(nothing).returns<void>(),
}
