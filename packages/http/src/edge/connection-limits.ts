import { maxBodyBytes } from './body'

/** What every server of a service has: of its port, and of its socket. */
export const connectionLimits = {
  // The edge refuses large bodies with the service's own error. Bun only closes the connection, so it refuses huge ones.
  maxRequestBodySize: maxBodyBytes * 64,
  idleTimeout: 30,
}
