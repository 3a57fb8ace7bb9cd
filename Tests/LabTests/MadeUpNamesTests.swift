import Testing

@testable import vanorb_lab

/// Names for vans that are full.
@Suite struct MadeUpNamesTests {
    @Test(arguments: MadeUpNames.allCases)
    func twoThousandItems_andTwoHundredDevices_haveNamesOfTheirOwn(_ kind: MadeUpNames) {
        let names = Array(kind.items(2_000)) + kind.devices(200)
        #expect(names.count == 2_200)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.split(separator: " ").count == 2 })
    }

    @Test func moreThanThereAre_areAllThereAre() {
        #expect(MadeUpNames.words.items(1_000_000).count == 2_688)
        #expect(MadeUpNames.syllables.items(1_000_000).count == 2_688)
        #expect(MadeUpNames.words.items(-1).isEmpty)
    }
}
