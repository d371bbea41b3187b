/// <reference types="vite/client" />

interface Window {
  /** Trusted Types, which the DOM's types lack. */
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(address: string): string },
    ): { createScriptURL(address: string): unknown }
  }
  /** Set by the preload script. */
  readonly modelport: import('../../shared/ipc.ts').ModelportBridge
}
