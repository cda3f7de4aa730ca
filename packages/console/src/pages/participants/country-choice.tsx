import { Choice } from '../../ui/field'
import { Options } from '../../ui/options'
import { countries } from './countries'

/** A country by its name; `empty` are the words of the choice that none is. */
export const CountryChoice = ({ label, name, empty }: { label: string; name: string; empty?: string }) => (
  <Choice label={label} name={name} required={empty === undefined} autoComplete="off">
    <option value="">{empty ?? 'Choose a country'}</option>
    <Options of={countries} />
  </Choice>
)
