// Starts the app as a person does: without a test driver, whose debugger takes time and memory. Prints the times at
// which the first page can be used and Home shows its figures, in Unix ms.
import { app } from 'electron'
import { becomeApp, startApp } from '../app-in-folder.mjs'

const readTimes = `(async () => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const drawnAtMs = async (selector) => {
    while (document.querySelector(selector) === null) await nextFrame()
    await nextFrame()
    return Date.now()
  }
  const interactiveAtMs = await drawnAtMs('main h1')
  return { interactiveAtMs, figuresAtMs: await drawnAtMs('[aria-label=Figures]') }
})()`

becomeApp()
app.once('web-contents-created', (_event, contents) => {
  contents.once('dom-ready', () => void printTimes(contents))
})
await startApp()

/** @param {Electron.WebContents} contents */
async function printTimes(contents) {
  const times = await contents.executeJavaScript(readTimes)
  process.stdout.write(`${JSON.stringify(times)}\n`)
}
