/// <reference types="vite/client" />

interface Window {
  /** Set by the preload script. */
  readonly modelport: import('../../shared/ipc.ts').ModelportBridge
}
