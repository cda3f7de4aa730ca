import { messageOf } from '@bursar/contracts/log'
import { config } from '../../services/identity-manager/src/config'
import { createMailTransport } from '../../services/identity-manager/src/mail/mail-transport'
import { type Examination, findingsAbout } from './finding'

const { ok, wrong } = findingsAbout('mail')

/** Whether the configured mail server accepts us, with TLS and log-in, as the identity manager will connect. */
export const examineMail: Examination = async ({ env, dataDir }) => {
  const settings = { ...config(env), dataDir }
  if (settings.smtpUrl === undefined) return [ok(`mails are written to ${env.MAIL_DIR || `${dataDir}/mail`}`)]
  const { host } = new URL(settings.smtpUrl)
  const transport = createMailTransport(settings)
  try {
    await transport.check()
    return [ok(`${host} takes mails`)]
  } catch (error) {
    return [wrong(`${host} takes no mails (${messageOf(error)}): correct SMTP_URL, or the account there`)]
  } finally {
    transport.close()
  }
}
