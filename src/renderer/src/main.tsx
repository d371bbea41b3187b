// Must stay first: the modules below create schemas when they load.
import './zod-without-eval.ts'
import './translation.ts'
import './styles.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isQuickEntry, loadPages, windowRouter } from './pages.tsx'
import { rememberFocus } from './shell/focus-at-navigation.ts'
import { openPage } from './shell/open-page.ts'
import { StartGate } from './shell/start-gate.tsx'
import { listen } from './stores/client.ts'
import { connectStores } from './stores/connect.ts'
import { followFormatLocale } from './stores/format-locale.ts'

followFormatLocale()
connectStores()
listen('open-page', ({ path }) => openPage(windowRouter, path))
windowRouter.subscribe('onBeforeNavigate', rememberFocus)

const container = document.getElementById('window')
if (!container) throw new Error('index.html has no #window')
const root = createRoot(container)
// Loaded before it is rendered, the page is in the first frame.
void windowRouter.load().then(() => {
  root.render(<App />)
  return isQuickEntry ? undefined : loadPages()
})

function App() {
  return (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <StartGate>
          <RouterProvider router={windowRouter} />
        </StartGate>
      </CSPProvider>
    </StrictMode>
  )
}
