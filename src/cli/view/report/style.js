// SPDX-License-Identifier: Apache-2.0
// How the report's series look: mechanisms look the same in every chart, whatever is shown beside them.
const allMechs = orderMechs(points.flatMap((p) => [p.mechs, variantOf(p)])).filter((m) => m !== 'base');
const mechStyle = (m) =>
    m === 'base' ? {colour: 'var(--base)', pattern: 0} : seriesStyle(allMechs.indexOf(m));
const energyStyle = (part) => seriesStyle(energyParts.indexOf(part));
