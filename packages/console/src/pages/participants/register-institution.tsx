import { useLocation } from 'preact-iso/router'
import { reread } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { useSession } from '../../api/session'
import { Act, type ActInput } from '../../ui/act'
import { Choice, Field } from '../../ui/field'
import { Options } from '../../ui/options'
import { CountryChoice } from './country-choice'

const businessTypes = [
  ['BANK', 'Bank'],
  ['EMONEY_INSTITUTION', 'E-money institution'],
  ['PAYMENT_INSTITUTION', 'Payment institution'],
  ['MONEY_TRANSMITTER', 'Money transmitter'],
  ['BROKER_DEALER', 'Broker or dealer'],
  ['CRYPTO_ASSET_PROVIDER', 'Crypto-asset service provider'],
  ['OTHER', 'Other'],
] as const

/** Registers an institution for it: what POST /participants takes, and then its own page. */
export function RegisterInstitution({ onClose }: { onClose(): void }) {
  const { route } = useLocation()
  const { fourEyesUsd } = useSession()
  return (
    <Act
      title="Register an institution"
      confirm="Register"
      act={register}
      done={({ name }) => `${name} is registered`}
      onDone={({ id }) => {
        reread(['institutions'])
        route(`/console/participants/${id}`)
      }}
      onClose={onClose}
    >
      <p>
        Its first user gets a mail with a link, sets a password and becomes its administrator. It takes part in payments
        once it is approved{fourEyesUsd === null ? '' : ', by somebody else than you'}.
      </p>
      <Field label="Name" name="name" required pattern=".*\S.*" maxLength={255} />
      <Field
        label="E-mail of its first user"
        name="email"
        type="email"
        required
        maxLength={254}
        hint="It must be of a person who does not use this platform yet."
      />
      <div class="field-pair">
        <CountryChoice label="Registered in" name="country" />
        <Field label="Registration number" name="registrationNumber" required pattern=".*\S.*" maxLength={100} />
      </div>
      <Choice label="Business" name="businessType" required>
        <Options of={businessTypes} />
      </Choice>
      <fieldset class="field-group">
        <legend>Address</legend>
        <Field label="Street" name="street" required pattern=".*\S.*" maxLength={255} />
        <div class="field-pair">
          <Field label="Postal code" name="zipCode" maxLength={20} />
          <Field label="City" name="city" required pattern=".*\S.*" maxLength={100} />
        </div>
        <div class="field-pair">
          <Field label="State or region" name="state" maxLength={100} />
          <CountryChoice label="Country" name="addressCountry" empty="As registered" />
        </div>
      </fieldset>
    </Act>
  )
}

const register = ({ text, headers }: ActInput) => {
  const [state, zipCode] = [text('state'), text('zipCode')]
  return dataOf(
    main.POST('/participants', {
      body: {
        name: text('name'),
        email: text('email'),
        country: text('country'),
        businessType: text('businessType'),
        registrationNumber: text('registrationNumber'),
        address: {
          street: text('street'),
          city: text('city'),
          country: text('addressCountry') || text('country'),
          ...(state ? { state } : {}),
          ...(zipCode ? { zipCode } : {}),
        },
      },
      headers,
    }),
  )
}
