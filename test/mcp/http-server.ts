/** An MCP server over HTTP that wants a sign-in, with the authorization server in the same place. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface HttpServer {
  /** Of the MCP endpoint. */
  url: string
  /** Paths in the order in which they were asked for. */
  asked: string[]
  /** Tokens are refused from now on, until another sign-in. */
  forgetTokens(): void
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  json?: object
}

const token = 'access-token-of-the-test'

export async function startHttpServer(): Promise<HttpServer> {
  const asked: string[] = []
  let isKnown = true
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await textOf(request)
    const url = new URL(request.url ?? '/', origin)
    asked.push(url.pathname)
    if (url.pathname === '/token') isKnown = true
    const isSignedIn = isKnown && request.headers.authorization === `Bearer ${token}`
    const isMcp = url.pathname === '/mcp'
    const reply = isMcp ? mcpReply(origin, isSignedIn, body) : signInReply(origin, url, body)
    const { status = 200, headers = {}, json } = reply
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(json && JSON.stringify(json))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return { url: `${origin}/mcp`, asked, forgetTokens: () => (isKnown = false) }
}

function signInReply(origin: string, { pathname, searchParams }: URL, body: string): Reply {
  switch (pathname) {
    case '/.well-known/oauth-protected-resource/mcp':
      return { json: { resource: `${origin}/mcp`, authorization_servers: [origin] } }
    case '/.well-known/oauth-authorization-server':
      return {
        json: {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        },
      }
    case '/register':
      return { status: 201, json: { ...(JSON.parse(body) as object), client_id: 'client-1' } }
    case '/authorize': {
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'code-1')
      back.searchParams.set('state', searchParams.get('state') ?? '')
      return { status: 302, headers: { location: back.href } }
    }
    case '/token':
      return { json: { access_token: token, token_type: 'Bearer', expires_in: 3600 } }
    default:
      return { status: 404, json: {} }
  }
}

function mcpReply(origin: string, isSignedIn: boolean, body: string): Reply {
  const metadata = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
  if (!isSignedIn) return { status: 401, headers: { 'www-authenticate': metadata }, json: {} }
  if (body === '') return { status: 405, json: {} }
  const { id, method } = JSON.parse(body) as { id?: number; method: string }
  if (id === undefined) return { status: 202 }
  return { json: { jsonrpc: '2.0', id, ...resultOf(method) } }
}

function resultOf(method: string): object {
  const inputSchema = { type: 'object' }
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'http', version: '1' }
      return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } }
    }
    case 'tools/list':
      return {
        result: { tools: [{ name: 'whoami', description: 'Says who you are.', inputSchema }] },
      }
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: 'You are signed in.' }] } }
    default:
      return { error: { code: -32_601, message: 'Method not found' } }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
