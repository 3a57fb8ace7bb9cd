import Control
import Foundation
import Testing

@testable import vanorb

/// Times and amounts as the owner writes them, whatever the machine and the terminal think.
@Suite struct ConventionsTests {
    private static func owner(_ country: String, _ zone: String, _ currency: String) -> OwnerLocale {
        OwnerLocale(timeZone: zone, language: "en", country: country, currency: currency)
    }

    private static let britain = owner("GB", "Europe/London", "GBP")
    private static let germany = owner("DE", "Europe/Berlin", "EUR")

    private func amount(_ minorUnits: Int64, _ currency: String, _ exponent: Int = 2) -> MoneyAmount {
        MoneyAmount(minorUnits: minorUnits, currency: currency, exponent: exponent)
    }

    private func moment(_ text: String) throws -> Date { try #require(try? Date(text, strategy: .iso8601)) }

    struct Case: Sendable, CustomTestStringConvertible {
        let owner: OwnerLocale
        let date: String, day: String, short: String, amounts: [String], decimal: String
        var testDescription: String { owner.country }
    }

    @Test(arguments: [
        Case(
            owner: britain, date: "1 May 2026, 15:03", day: "1 May 2026", short: "1 May",
            amounts: ["£1,234.50", "-£0.05", "€3.00", "US$3.00", "JP¥1,200", "CHF 3.00"], decimal: "1.5"),
        Case(
            owner: owner("US", "America/New_York", "USD"), date: "May 1, 2026, 10:03 AM", day: "May 1, 2026",
            short: "May 1", amounts: ["£1,234.50", "-£0.05", "€3.00", "$3.00", "¥1,200", "CHF 3.00"], decimal: "1.5"),
        Case(
            owner: germany, date: "1. May 2026, 16:03", day: "1. May 2026", short: "1. May",
            amounts: ["1.234,50 £", "-0,05 £", "3,00 €", "3,00 US$", "1.200 JP¥", "3,00 CHF"], decimal: "1,5"),
        Case(
            owner: owner("JP", "Asia/Tokyo", "JPY"), date: "May 1, 2026, 23:03", day: "May 1, 2026", short: "May 1",
            amounts: ["£1,234.50", "-£0.05", "€3.00", "$3.00", "¥1,200", "CHF 3.00"], decimal: "1.5"),
    ])
    func eachCountry_writesItsOwnWay(_ expected: Case) throws {
        let ways = Conventions(expected.owner, environment: ["LANG": "fr_FR.UTF-8"])
        let date = try moment("2026-05-01T14:03:00Z")
        #expect(ways.date(date) == expected.date)
        #expect(ways.day(date) == expected.day)
        #expect(ways.shortDay(date) == expected.short)
        let amounts = [
            amount(123_450, "GBP"), amount(-5, "GBP"), amount(300, "EUR"), amount(300, "USD"), amount(1_200, "JPY", 0),
            amount(300, "CHF"),
        ]
        #expect(amounts.map(ways.money) == expected.amounts)
        #expect(ways.decimal(1.5, places: 1) == expected.decimal)
        #expect(ways.hasDecimalComma == expected.decimal.contains(","))
    }

    @Test(arguments: [
        ("Europe/London", "2026-10-25T00:30:00Z", "25 Oct 2026, 01:30"),
        ("Europe/London", "2026-10-25T01:30:00Z", "25 Oct 2026, 01:30"),
        ("Europe/London", "2026-03-29T00:59:00Z", "29 Mar 2026, 00:59"),
        ("Europe/London", "2026-03-29T01:00:00Z", "29 Mar 2026, 02:00"),
        ("America/St_Johns", "2026-03-08T05:31:00Z", "8 Mar 2026, 03:01"),
        ("Pacific/Apia", "2026-03-28T11:00:00Z", "29 Mar 2026, 00:00"),
    ])
    func theNightsOnWhichClocksChange_areThoseOfTheOwnersZone(zone: String, utc: String, local: String) throws {
        let ways = Conventions(Self.owner("GB", zone, "GBP"), environment: [:])
        #expect(ways.date(try moment(utc)) == local)
    }

    @Test func whatTheTerminalHasSetOnPurpose_goesBefore() throws {
        let date = try moment("2026-05-01T14:03:00Z"), euro = amount(1_250, "EUR"), pound = amount(1_250, "GBP")
        func ways(_ environment: [String: String]) -> Conventions {
            Conventions(Self.britain, environment: environment)
        }
        #expect(ways(["TZ": "Asia/Tokyo"]).date(date) == "1 May 2026, 23:03")
        #expect(ways(["TZ": ":Europe/Berlin"]).date(date) == "1 May 2026, 16:03")
        #expect(ways(["LC_TIME": "en_US.UTF-8"]).date(date) == "May 1, 2026, 3:03 PM")
        #expect(ways(["LC_TIME": "en_US.UTF-8"]).money(pound) == "£12.50")
        #expect(ways(["LC_MONETARY": "de_DE@euro"]).money(euro) == "12,50 €")
        #expect(ways(["LC_ALL": "de_DE.UTF-8", "LC_TIME": "en_US"]).date(date) == "1. May 2026, 15:03")
        for nothing in [
            ["LANG": "en_US.UTF-8"], ["LC_ALL": "C.UTF-8"], ["LC_TIME": "POSIX"], ["LC_TIME": ""], ["TZ": ""],
            ["TZ": "Nowhere/Else"], ["LC_MONETARY": "nonsense_XYZ"],
        ] {
            #expect(ways(nothing).date(date) == "1 May 2026, 15:03", "\(nothing)")
            #expect(ways(nothing).money(pound) == "£12.50", "\(nothing)")
        }
    }

    @Test func withoutADaemon_theMachinesZoneIsUsed() throws {
        let date = try moment("2026-05-01T14:03:00Z")
        #expect(Conventions(nil, environment: ["TZ": "UTC"]).date(date) == "1 May 2026, 14:03")
        #expect(Conventions(nil, environment: [:]).money(amount(5, "GBP")) == "£0.05")
    }

    @Test func oddCurrencies_keepTheirDecimals() {
        let ways = Conventions(Self.germany, environment: [:])
        #expect(ways.money(amount(1_234_500, "KWD", 3)) == "1.234,500 KWD")
        #expect(ways.money(amount(7, "XYZ", 2)) == "0,07 XYZ")
        #expect(ways.money(amount(.min, "EUR")) == "-92.233.720.368.547.758,08 €")
    }
}
