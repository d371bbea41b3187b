/** Whether a window of a certain size shows everything of a page. */
import type { ElectronApplication, Page } from '@playwright/test'

export interface WindowSize {
  width: number
  height: number
  /** 2 shows everything at 200 %. */
  zoom?: number
}

export async function resizeWindow(
  app: ElectronApplication,
  window: Page,
  { width, height, zoom = 1 }: WindowSize,
): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => {
      const [shown] = BrowserWindow.getAllWindows()
      shown?.setContentSize(size.width, size.height)
      shown?.webContents.setZoomFactor(size.zoom)
    },
    { width, height, zoom },
  )
  await window.waitForFunction(
    (expected) => Math.abs(globalThis.innerWidth - expected) < 2,
    width / zoom,
  )
}

/** What sticks out of the window, is squeezed to a letter a line, or overlaps its neighbour. */
export async function layoutProblems(window: Page): Promise<string[]> {
  return [...(await squeezedElements(window)), ...(await overlappingParts(window))]
}

function squeezedElements(window: Page): Promise<string[]> {
  return window.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const tooWide = scrollWidth > clientWidth ? ['the page is too wide'] : []
    const texts = [...document.querySelectorAll('button, h1, h2, h3, label, a, p, li, td, th')]
    const problems = texts.flatMap((element) => {
      const { width, height, left, right } = element.getBoundingClientRect()
      const text = element.textContent.trim().slice(0, 30)
      // Hidden labels are one pixel large.
      if (text.length < 4 || width <= 1 || height <= 1) return []
      if (width < 24 && height > 60) return [`squeezed: ${text}`]
      const isScrolled = element.closest('[class*="overflow-x-auto"], [class*="overflow-auto"]')
      return !isScrolled && (left < -1 || right > innerWidth + 1) ? [`outside: ${text}`] : []
    })
    return [...tooWide, ...problems]
  })
}

/** The parts of the page, from top to bottom. */
function overlappingParts(window: Page): Promise<string[]> {
  return window.evaluate(() => {
    const boxes = [...document.querySelectorAll('main > *')].map((part) =>
      part.getBoundingClientRect(),
    )
    return boxes.flatMap(({ bottom }, index) => {
      const limit = boxes[index + 1]?.top ?? innerHeight
      return bottom > limit + 1 ? [`part ${index} ends at ${bottom}, not at ${limit}`] : []
    })
  })
}
