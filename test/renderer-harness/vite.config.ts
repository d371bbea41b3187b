import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the window over the pretended service, as `electron.vite.config.ts` builds the real one. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../../node_modules/.cache/renderer-harness',
    emptyOutDir: true,
    target: 'chrome130',
    modulePreload: { polyfill: false },
  },
})
