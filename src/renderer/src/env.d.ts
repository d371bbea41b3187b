/// <reference types="vite/client" />

interface Window {
  /** Put there by the preload. */
  readonly modelport: import('../../shared/ipc.ts').ModelportBridge
}
