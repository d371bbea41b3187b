/**
 * The points of Electron's security checklist, in its order, each with what was tried in the running app and whether it held.
 * @see https://www.electronjs.org/docs/latest/tutorial/security
 */
import { isDeepStrictEqual } from 'node:util'

/**
 * What probe.cjs saw.
 * @typedef {object} Observed
 * @property {string} electron
 * @property {string} address
 * @property {Record<string, unknown>} preferences
 * @property {boolean} canOpenDevTools
 * @property {{ origin: string, isSecure: boolean, node: string[] }} globals
 * @property {{ keys: string[], isChanged: boolean, isReplaced: boolean, isAnswered: boolean }} bridge
 * @property {string[]} policy
 * @property {{ notifications: string, position: string, read: string }} permissions
 * @property {string[]} permissionStates
 * @property {{ ownPage: boolean, frame: string, otherWindow: string }} calls
 * @property {string} pageWithoutPolicy
 * @property {string[]} navigations
 * @property {unknown[]} opened
 * @property {number} pageCount
 * @property {{ declined: { asked: string[], opened: string[] }, agreed: string[] }} links
 * @property {{ errors: Record<string, string>, isPwned: boolean }} injection
 *
 * What the check knows besides.
 * @typedef {object} Facts
 * @property {number} canaryHits
 * @property {string[]} strictPolicy
 * @property {string} link  the address that may be offered
 * @property {{ seen: string, isKept: boolean }} version
 * @property {{ seen: string, isKept: boolean }} fuses
 *
 * @typedef {{ number: number, point: string, tried: string, seen: string, isKept: boolean }} Point
 */

const bridge = { keys: ['call', 'on'], isChanged: false, isReplaced: false, isAnswered: true }
const injectionErrors = {
  innerHTML: 'TypeError',
  Function: 'EvalError',
  'script text': 'TypeError',
  'script address': 'TypeError',
  attribute: 'TypeError',
}

/** @param {Observed} observed @param {Facts} facts @returns {Point[]} */
export function judge(observed, facts) {
  return [
    ...contentPoints(observed, facts),
    ...preferencePoints(observed),
    ...behaviourPoints(observed, facts),
    ...programPoints(observed, facts),
  ].toSorted((a, b) => a.number - b.number)
}

/** @param {Observed} observed @param {Facts} facts @returns {Point[]} */
function contentPoints({ globals, policy, injection, pageWithoutPolicy }, facts) {
  return [
    {
      number: 1,
      point: 'Only secure content',
      tried: 'image, beacon, socket and fetch to http, and fetch from a page without a policy',
      seen: `${facts.canaryHits} requests arrived; ${pageWithoutPolicy}`,
      isKept: facts.canaryHits === 0 && pageWithoutPolicy === 'refused' && globals.isSecure,
    },
    {
      number: 2,
      point: 'No Node.js in the page',
      tried: 'require, process, module, Buffer and global',
      seen: globals.node.length === 0 ? 'none is there' : globals.node.join(', '),
      isKept: globals.node.length === 0,
    },
    {
      number: 7,
      point: 'Content security policy',
      tried: 'its header; eval, innerHTML, script and event handler',
      seen: `${policy.length} strict directives; ${injection.isPwned ? 'a script ran' : 'no script ran'}`,
      isKept:
        isDeepStrictEqual(policy, facts.strictPolicy) &&
        isDeepStrictEqual(injection, { errors: injectionErrors, isPwned: false }),
    },
  ]
}

/** @param {Observed} observed @returns {Point[]} */
function preferencePoints({ preferences }) {
  /** @type {[number, string, string, unknown][]} */
  const expected = [
    [2, 'No Node.js in the page', 'nodeIntegration', false],
    [2, 'No Node.js in frames', 'nodeIntegrationInSubFrames', false],
    [3, 'Context isolation', 'contextIsolation', true],
    [4, 'Sandbox', 'sandbox', true],
    [6, 'Web security', 'webSecurity', true],
    [8, 'No insecure content', 'allowRunningInsecureContent', false],
    [9, 'No experimental features', 'experimentalFeatures', false],
    [10, 'No Blink features', 'enableBlinkFeatures', ''],
    [11, 'No webviews', 'webviewTag', false],
  ]
  return expected.map(([number, point, name, value]) => ({
    number,
    point,
    tried: `the preference ${name} of the window`,
    seen: JSON.stringify(preferences[name] ?? null),
    isKept: preferences[name] === value,
  }))
}

/** @param {Observed} observed @param {Facts} facts @returns {Point[]} */
function behaviourPoints(observed, { link }) {
  const { permissions, permissionStates, navigations, opened, pageCount, links } = observed
  const elsewhere = navigations.filter((url) => !url.startsWith('app://modelport/'))
  const denied = permissionStates.filter((state) => state === 'denied').length
  const { declined, agreed } = links
  return [
    {
      number: 5,
      point: 'Permissions refused',
      tried: `notifications, position, clipboard; the state of ${permissionStates.length} others`,
      seen: `${permissions.notifications}, ${permissions.position}, ${permissions.read}; ${denied} denied`,
      isKept:
        permissions.notifications === 'denied' &&
        permissions.position === 'code 1' &&
        permissions.read === 'NotAllowedError' &&
        denied === permissionStates.length,
    },
    {
      number: 12,
      point: 'No webview or frame attached',
      tried: 'a webview and a frame added to the page',
      seen: `${pageCount} page in the app`,
      isKept: pageCount === 1,
    },
    {
      number: 13,
      point: 'No navigation',
      tried: `${navigations.length} times to http, file, data and another app: by link, script, meta refresh, form`,
      seen: elsewhere.length === 0 ? 'the page stayed' : `the page went to ${elsewhere[0]}`,
      isKept: navigations.length > 0 && elsewhere.length === 0,
    },
    {
      number: 14,
      point: 'No new windows',
      tried: `window.open, ${opened.length} addresses`,
      seen: opened.every((one) => one === null) ? 'null each time' : 'a window opened',
      isKept: opened.length > 0 && opened.every((one) => one === null),
    },
    {
      number: 15,
      point: 'openExternal',
      tried: 'https, http, file, javascript, ms-msdt, a password and 2,068 characters',
      seen: `asked about ${declined.asked.length} (https); opened ${declined.opened.length} after Cancel, ${agreed.length} after Open`,
      isKept: isDeepStrictEqual(links, {
        declined: { asked: [link], opened: [] },
        agreed: [link],
      }),
    },
  ]
}

/** @param {Observed} observed @param {Facts} facts @returns {Point[]} */
function programPoints({ calls, address, globals, canOpenDevTools, ...observed }, facts) {
  return [
    {
      number: 16,
      point: 'Current Electron',
      tried: 'the lockfile and the registry',
      ...facts.version,
    },
    {
      number: 17,
      point: 'Sender of calls checked',
      tried: 'a call from a frame of the page, and from another window with the preload',
      seen: `${calls.frame}, ${calls.otherWindow}; the page's own call: ${calls.ownPage ? 'answered' : 'refused'}`,
      isKept: isDeepStrictEqual(calls, {
        ownPage: true,
        frame: 'forbidden',
        otherWindow: 'forbidden',
      }),
    },
    {
      number: 18,
      point: 'Own protocol, not file://',
      tried: "the page's address and origin",
      seen: `${new URL(address).protocol}//, ${globals.origin}`,
      isKept: address.startsWith('app://modelport/') && globals.origin === 'app://modelport',
    },
    { number: 19, point: 'Fuses', tried: 'every fuse of the shipped binary', ...facts.fuses },
    {
      number: 20,
      point: 'No Electron API in the page',
      tried: 'keys of the bridge; replacing it; DevTools',
      seen: `${observed.bridge.keys.join(', ')}; ${canOpenDevTools ? 'DevTools open' : 'no DevTools'}`,
      isKept: isDeepStrictEqual(observed.bridge, bridge) && !canOpenDevTools,
    },
  ]
}
