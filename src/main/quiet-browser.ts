/** Chromium's own connections, which the window does not need, are off. What is left is in shared/app/connections.ts. */
import { app } from 'electron'

const switches = [
  'disable-background-networking',
  'disable-client-side-phishing-detection',
  'disable-component-update',
  'disable-domain-reliability',
  'disable-sync',
  'dns-prefetch-disable',
  'no-pings',
]

/** Call this before Electron is ready. */
export function quietBrowser(): void {
  for (const name of switches) app.commandLine.appendSwitch(name)
  // `dns-prefetch-disable` leaves out names in links of a page: e2e/code-preview.spec.ts.
  app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
  app.on('web-contents-created', (_event, contents) => {
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  })
  void app.whenReady().then(askForAddressesOnly)
}

/** Names are looked up by the system's name servers, and for nothing but addresses. */
function askForAddressesOnly(): void {
  app.configureHostResolver({
    enableAdditionalDnsQueryTypes: false,
    enableBuiltInResolver: false,
    secureDnsMode: 'off',
  })
}
