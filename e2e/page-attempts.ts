/**
 * What a hostile script in the window's page would try. Each function runs in the page, so it uses nothing outside
 * itself. Used by security.spec.ts and, as text, by `npm run package:check -- checklist`.
 */

/** The policy of the window, with the nonce of its styles left out. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'nonce-…'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types modelport-workers',
]

/** Links to other pages; only the first may be offered to the browser. */
export const outsideLinks = [
  'https://example.com/path?query#hash',
  'http://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'ms-msdt:/id',
  'https://user:password@example.com/',
  `https://example.com/${'a'.repeat(2_048)}`,
]

export function readGlobals() {
  return {
    origin: location.origin,
    isSecure: isSecureContext,
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
  }
}

export async function changeBridge() {
  const keys = Object.keys(modelport)
  const isChanged = Reflect.set(modelport, 'call', () => 'taken over')
  const isReplaced = Reflect.set(globalThis, 'modelport', { call: () => 'taken over' })
  const answer = await modelport.call('app:state', undefined)
  return { keys, isChanged, isReplaced, isAnswered: answer.ok }
}

export async function readPolicy(): Promise<string[]> {
  const answer = await fetch('/')
  const policy = answer.headers.get('content-security-policy') ?? ''
  return policy.replace(/'nonce-[\w+/]{22}=='/, "'nonce-…'").split('; ')
}

export async function injectScripts() {
  const errors: Record<string, string> = {}
  const attempt = (name: string, run: () => unknown) => {
    try {
      run()
    } catch (error) {
      errors[name] = error instanceof Error ? error.name : 'error'
    }
  }
  // Later, in the page's own task: scripts that the debugger evaluates may always use eval.
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      attempt('innerHTML', () => (document.body.innerHTML = '<img src=x onerror="pwned=1">'))
      // oxlint-disable-next-line typescript/no-implied-eval -- what must not work
      attempt('Function', () => new Function('globalThis.pwned = 1')())
      const script = document.createElement('script')
      attempt('script text', () => (script.textContent = 'globalThis.pwned = 1'))
      attempt('script address', () => (script.src = 'data:text/javascript,globalThis.pwned=1'))
      document.body.append(script)
      const image = document.createElement('img')
      attempt('attribute', () => image.setAttribute('onerror', 'globalThis.pwned = 1'))
      image.src = 'missing.png'
      document.body.append(image)
      setTimeout(resolve, 300)
    })
  })
  return { errors, isPwned: 'pwned' in globalThis }
}

export async function reachNetwork(url: string): Promise<void> {
  const image = new Image()
  image.src = `${url}image`
  navigator.sendBeacon(`${url}beacon`)
  new WebSocket(url.replace('http', 'ws')).addEventListener('error', () => {})
  await fetch(`${url}fetch`).catch(() => {})
}

export const navigationWays = {
  'a link': (url: string) => {
    const link = document.createElement('a')
    link.href = url
    document.body.append(link)
    link.click()
  },
  'a script': (url: string) => {
    location.href = url
  },
  'a meta refresh': (url: string) => {
    const refresh = document.createElement('meta')
    refresh.httpEquiv = 'refresh'
    refresh.content = `0;url=${url}`
    document.head.append(refresh)
  },
  'a form': (url: string) => {
    const form = document.createElement('form')
    form.action = url
    document.body.append(form)
    form.submit()
  },
}

/** Windows, a frame and a webview. @returns null for each window that did not open */
export function openWindows() {
  const frame = document.createElement('iframe')
  frame.src = 'data:text/html,x'
  const webview = document.createElement('webview')
  webview.setAttribute('src', 'https://example.com')
  document.body.append(frame, webview)
  const addresses = ['https://example.com', 'about:blank', '/']
  return addresses.map((url) => (globalThis.open(url) === null ? null : 'opened'))
}

export function openLink(address: string): void {
  globalThis.open(address, '_blank', 'noopener')
}

export async function requestPermissions() {
  const refusal = (error: unknown) => (error instanceof Error ? error.name : String(error))
  const position = new Promise<string>((resolve) => {
    navigator.geolocation.getCurrentPosition(
      () => resolve('given'),
      (error) => resolve(`code ${error.code}`),
    )
  })
  return {
    notifications: await Notification.requestPermission(),
    position: await position,
    read: await navigator.clipboard.readText().then(() => 'given', refusal),
    write: await navigator.clipboard.writeText('copied').then(() => 'given', refusal),
  }
}

export async function queryPermissions(): Promise<string[]> {
  const names = ['camera', 'microphone', 'geolocation', 'notifications', 'midi', 'local-fonts']
  const queries = names.map(async (name) => {
    // Not all of Chromium's permissions are in the DOM's types.
    const { state } = await navigator.permissions.query({ name: name as PermissionName })
    return state
  })
  return Promise.all(queries)
}
