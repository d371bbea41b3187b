declare module '*.css'

interface Window {
  /** Put there by the preload. */
  readonly modelport: import('../../shared/ipc.ts').ModelportBridge
}
