import { Elysia } from 'elysia'
import type { GatewayDeps } from '../deps'
import { tokenPath } from './token-endpoint'

/** Where and how tokens are issued (RFC 8414). */
export const metadataRoutes = ({ config: { issuer } }: Pick<GatewayDeps, 'config'>) =>
  new Elysia({ detail: { hide: true } }).get('/.well-known/oauth-authorization-server', () => ({
    issuer,
    token_endpoint: issuer + tokenPath,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    // It has no authorization endpoint.
    response_types_supported: [],
    service_documentation: `${issuer}/docs`,
  }))
