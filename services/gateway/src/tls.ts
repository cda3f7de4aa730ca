import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { messageOf } from '@bursar/contracts/log'
import { ConfigError, type Environment, integerSetting } from '@bursar/http'

/** A second port, for callers elsewhere; the plain one stays for this machine and for proxies. */
export interface TlsSettings {
  readonly host: string
  readonly port: number
  /** Certificates in PEM, the gateway's own first. */
  readonly cert: string
  readonly key: string
  /** CA certificates: clients without a certificate of one of them are refused in the handshake; null requires none. */
  readonly clientCa: string | null
}

/** GATEWAY_TLS_…; null without a port. The files are read at the start: a new certificate takes effect with a restart. */
export function tlsSettings(env: Environment, host: string): TlsSettings | null {
  if (!env.GATEWAY_TLS_PORT) {
    const alone = ['GATEWAY_TLS_CERT', 'GATEWAY_TLS_KEY', 'GATEWAY_TLS_CLIENT_CA'].find((name) => env[name])
    if (alone) throw new ConfigError(`${alone} needs GATEWAY_TLS_PORT`)
    return null
  }
  const port = integerSetting(env, 'GATEWAY_TLS_PORT', { fallback: 0, minimum: 0, maximum: 65_535 })
  const cert = pemOf(env, 'GATEWAY_TLS_CERT')
  const key = pemOf(env, 'GATEWAY_TLS_KEY')
  const clientCa = env.GATEWAY_TLS_CLIENT_CA ? pemOf(env, 'GATEWAY_TLS_CLIENT_CA') : null
  const certificate = certificateIn(cert, 'GATEWAY_TLS_CERT')
  if (clientCa !== null) certificateIn(clientCa, 'GATEWAY_TLS_CLIENT_CA')
  if (!fits(certificate, key)) throw new ConfigError('GATEWAY_TLS_KEY is not the private key of GATEWAY_TLS_CERT')
  return { host: env.GATEWAY_TLS_HOST || host, port, cert, key, clientCa }
}

/** The text of a file; errors never show its content. */
function pemOf(env: Environment, name: string): string {
  const file = env[name]
  if (!file) throw new ConfigError(`GATEWAY_TLS_PORT needs ${name}, a file in PEM`)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${name}: ${messageOf(error)}`)
  }
}

function certificateIn(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new ConfigError(`${name} must name a file with a certificate in PEM`)
  }
}

function fits(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
